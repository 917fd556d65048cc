/**
 * Pass it as `ref` of the heading that states an action's result. When that heading appears, it receives the focus and is scrolled into
 * view, so that users with and without a screen reader notice the result. The heading needs `tabIndex={-1}`.
 */
export function focusResult(heading: HTMLElement | null): void {
  heading?.focus();
}
