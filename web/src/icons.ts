// SPDX-License-Identifier: MIT
// Icons as strokes on a grid of 24, in the colour of the text around them.

const paths = {
    back: 'M15 5l-7 7 7 7',
    sound: 'M4 10v4h4l5 4V6L8 10zM16 9a4 4 0 010 6M18.5 6.5a8 8 0 010 11',
    muted: 'M4 10v4h4l5 4V6L8 10zM17 10l4 4M21 10l-4 4',
    help: 'M9 9a3 3 0 114 2.8c-.7.4-1 1-1 2.2M12 17.5v.1',
    friend: 'M9 11a3 3 0 100-6 3 3 0 000 6zM3 19a6 6 0 0112 0M18 8v6M15 11h6',
    eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 14a2 2 0 100-4 2 2 0 000 4z',
    panel: 'M4 5h16v14H4zM15 5v14',
    play: 'M8 5l11 7-11 7z',
    pause: 'M8 5v14M16 5v14',
    chat: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5',
    close: 'M6 6l12 12M18 6L6 18',
    film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 12h16',
    sliders: 'M5 6h14M5 12h14M5 18h14M9 4v4M15 10v4M8 16v4',
};
export type Icon = keyof typeof paths;

const svg = 'http://www.w3.org/2000/svg';

export function icon(name: Icon): SVGElement {
    const element = document.createElementNS(svg, 'svg');
    const path = document.createElementNS(svg, 'path');
    element.setAttribute('viewBox', '0 0 24 24');
    element.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', paths[name]);
    element.append(path);
    return element;
}
