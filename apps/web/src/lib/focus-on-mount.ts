/**
 * Passed as the `ref` of a field that a click has just opened: moves the cursor into it. Defined only once, so that React calls it only on
 * mounting.
 */
export function focusOnMount(field: HTMLElement | null): void {
  field?.focus({ preventScroll: true });
}
