// SPDX-License-Identifier: MIT
// An event in its world's words.

/** "$slot was hit[ by $by]" of players whose names are known; null if it is about somebody who is not. */
export function tell(words: string, nameOf: (whom: 'slot' | 'by') => string | undefined): string | null {
    const named = (part: string): string | null => {
        let isKnown = true;
        const text = part.replaceAll(/\$(slot|by)/g, (_all, whom: 'slot' | 'by') => {
            const name = nameOf(whom);
            isKnown &&= name !== undefined;
            return name ?? '';
        });
        return isKnown ? text : null;
    };
    // First what may be left out, so that what is left of brackets in a name stays as it is.
    const parts = words.split(/\[([^\]]*)\]/).map((part, i) => (i % 2 === 1 ? named(part) ?? '' : named(part)));
    return parts.includes(null) ? null : parts.join('');
}
