// SPDX-License-Identifier: MIT
// Creates elements: h('button', { onclick }, 'Play').

type Child = Node | string | number | null | undefined | false;
type Properties = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === false) continue;
        if (name.startsWith('on') && typeof value === 'function')
            element.addEventListener(name.slice(2), value as EventListener);
        else if (name in element && name !== 'list' && name !== 'form') (element as unknown as Properties)[name] = value;
        else element.setAttribute(name, String(value));
    }
    element.append(...children.filter((child): child is Node | string | number => child !== null && child !== undefined && child !== false).map((child) => (typeof child === 'number' ? String(child) : child)));
    return element;
}

/** A slider with its name and value. */
export function slider(
    label: string,
    { low, high, step, value, unit = '', mark, note }: {
        low: number; high: number; step: number; value: number; unit?: string; mark?: number | undefined; note?: string | undefined;
    },
    change: (value: number) => boolean | void, // false: refused, the slider goes back
): HTMLElement {
    const valueText = (number: number) => `${+number.toPrecision(4)}${unit ? ' ' + unit : ''}`;
    const shown = h('output', {}, valueText(value));
    const marks = mark === undefined ? null : h('datalist', { id: `marks-${++lists}` }, h('option', { value: mark, label: 'document' }));
    const input = h('input', {
        type: 'range', min: low, max: high, step, 'aria-label': label,
        oninput: () => {
            if (change(input.valueAsNumber) === false) input.valueAsNumber = accepted;
            accepted = input.valueAsNumber;
            shown.textContent = valueText(accepted);
        },
    });
    let accepted = value;
    input.valueAsNumber = value;
    if (marks) input.setAttribute('list', marks.id);
    return h('label', { className: 'slider', title: note ?? '' }, h('span', {}, label), input, shown, marks);
}
let lists = 0;

export function showMessage(text: string): void {
    document.getElementById('message')!.textContent = text;
}
