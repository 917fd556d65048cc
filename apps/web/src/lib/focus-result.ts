/**
 * Pass it as `ref` of the heading that says what an action did. When that heading appears, focus and scroll go there, so that people with and
 * without a screen reader notice the result. The heading needs `tabIndex={-1}`.
 */
export function focusResult(heading: HTMLElement | null): void {
  heading?.focus();
}
