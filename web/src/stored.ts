// SPDX-License-Identifier: MIT
// Settings that the browser remembers. Without access to storage they last for this visit.

const visit = new Map<string, string>();

export function readStored(key: string): string | null {
    try {
        return localStorage.getItem(`instep-${key}`) ?? visit.get(key) ?? null;
    } catch {
        return visit.get(key) ?? null;
    }
}
export function store(key: string, value: string): void {
    visit.set(key, value);
    try {
        localStorage.setItem(`instep-${key}`, value);
    } catch {
        // for this visit only
    }
}
