// SPDX-License-Identifier: MIT
// The text of an event, with names of players.

/** Fills in "$slot was hit[ by $by]"; null if a name outside of brackets is unknown. */
export function formatEvent(template: string, nameOf: (field: 'slot' | 'by') => string | undefined): string | null {
    const named = (part: string): string | null => {
        let isKnown = true;
        const text = part.replaceAll(/\$(slot|by)/g, (_all, field: 'slot' | 'by') => {
            const name = nameOf(field);
            isKnown &&= name !== undefined;
            return name ?? '';
        });
        return isKnown ? text : null;
    };
    // Split before names are filled in, because a name may contain brackets.
    const parts = template.split(/\[([^\]]*)\]/).map((part, i) => (i % 2 === 1 ? named(part) ?? '' : named(part)));
    return parts.includes(null) ? null : parts.join('');
}
