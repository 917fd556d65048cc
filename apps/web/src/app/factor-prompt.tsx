/** Opens the second factor dialog when a request needs one. The dialog is loaded only then. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { setFactorPrompt } from '../lib/factor-prompt.ts';

const FactorDialog = lazy(() => import('./factor-dialog.tsx').then((file) => ({ default: file.FactorDialog })));

export function FactorPrompt() {
  const [onConfirmed, setAnswer] = useState<(isConfirmed: boolean) => void>();
  useEffect(
    () =>
      setFactorPrompt(
        () =>
          new Promise((resolve) => {
            setAnswer(() => (isConfirmed: boolean) => {
              setAnswer(undefined);
              resolve(isConfirmed);
            });
          }),
      ),
    [],
  );
  if (onConfirmed === undefined) return null;
  return (
    <Suspense fallback={null}>
      <FactorDialog onAnswer={onConfirmed} />
    </Suspense>
  );
}
