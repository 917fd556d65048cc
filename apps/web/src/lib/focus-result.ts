/**
 * Pass this as the `ref` of the heading that states an action's result. When the heading appears, it receives the focus and scrolls into
 * view, so that users with and without a screen reader notice the result. The heading needs `tabIndex={-1}`.
 */
export function focusResult(heading: HTMLElement | null): void {
  heading?.focus();
}
