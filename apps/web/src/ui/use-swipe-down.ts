/** A sheet follows the finger; far enough down it leaves in 300 ms, else it returns. */
import { useState, type CSSProperties, type PointerEvent } from 'react';

const CLOSE_AFTER_PX = 96;
const LEAVE_MS = 300;

export function useSwipeDown(close: () => void): {
  style: CSSProperties;
  handlers: Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', (event: PointerEvent<HTMLElement>) => void>;
} {
  const [startY, setStartY] = useState<number>();
  const [offset, setOffset] = useState(0);
  const [isLeaving, setIsLeaving] = useState(false);
  const release = (closes: boolean) => {
    setStartY(undefined);
    if (!closes) {
      setOffset(0);
      return;
    }
    setIsLeaving(true);
    setOffset(window.innerHeight);
    setTimeout(() => {
      close();
      setIsLeaving(false);
      setOffset(0);
    }, LEAVE_MS);
  };
  return {
    style:
      startY === undefined && offset === 0
        ? {}
        : { transform: `translateY(${offset}px)`, transition: startY === undefined || isLeaving ? `transform ${LEAVE_MS}ms` : 'none' },
    handlers: {
      onPointerDown: (event) => {
        if (event.pointerType === 'mouse' || (event.target as HTMLElement).closest('button') !== null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setStartY(event.clientY);
      },
      onPointerMove: (event) => {
        if (startY !== undefined) setOffset(Math.max(0, event.clientY - startY));
      },
      onPointerUp: () => {
        if (startY !== undefined) release(offset > CLOSE_AFTER_PX);
      },
      onPointerCancel: () => {
        if (startY !== undefined) release(false);
      },
    },
  };
}
