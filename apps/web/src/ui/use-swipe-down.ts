/**
 * Lets a sheet follow the finger. When released far enough down, it closes in 300 ms (docs/product/specification.md section 2.6); otherwise
 * it moves back up.
 */
import { useEffect, useRef, useState, type CSSProperties, type PointerEvent } from 'react';

const CLOSE_AFTER_PX = 96;
const EXIT_MS = 300;

type PointerHandler = (event: PointerEvent<HTMLElement>) => void;

type SwipeDown = {
  /** Undefined while the sheet is in its normal position, so that its own transition applies. */
  style: CSSProperties | undefined;
  handlers: Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', PointerHandler>;
  /** Call this after closing, so that the next sheet starts in its normal position. */
  reset: () => void;
};

/** `enabled: false` prevents swiping, for dialogs that can't be closed. */
export function useSwipeDown(close: () => void, { enabled, reducesMotion }: { enabled: boolean; reducesMotion: boolean }): SwipeDown {
  const [startY, setStartY] = useState<number>();
  const [offset, setOffset] = useState(0);
  const closeTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closeTimer.current), []);
  const release = (shouldClose: boolean) => {
    setStartY(undefined);
    if (!shouldClose) {
      setOffset(0);
      return;
    }
    setOffset(window.innerHeight);
    closeTimer.current = setTimeout(close, reducesMotion ? 0 : EXIT_MS);
  };
  const isMoved = startY !== undefined || offset !== 0;
  return {
    style: isMoved
      ? { transform: `translateY(${offset}px)`, transition: startY !== undefined || reducesMotion ? 'none' : `transform ${EXIT_MS}ms` }
      : undefined,
    handlers: {
      onPointerDown: (event) => {
        if (!enabled || event.pointerType === 'mouse' || (event.target as HTMLElement).closest('button') !== null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setStartY(event.clientY);
      },
      onPointerMove: (event) => {
        if (startY !== undefined) setOffset(Math.max(0, event.clientY - startY));
      },
      onPointerUp: () => {
        if (startY !== undefined) release(enabled && offset > CLOSE_AFTER_PX);
      },
      onPointerCancel: () => {
        if (startY !== undefined) release(false);
      },
    },
    reset: () => setOffset(0),
  };
}
