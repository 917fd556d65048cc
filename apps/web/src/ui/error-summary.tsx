import { useEffect, useRef } from 'react';
import { Stack } from './layout.tsx';
import { Text } from './text.tsx';
import styles from './error-summary.module.css';

type ErrorSummaryProps = {
  errors: readonly { readonly field: string | undefined; readonly message: string }[];
  /** Returns the ID of a field's control. */
  getFieldId?: (field: string) => string;
};

/** Errors at the top of a form, each linked to its field. Receives the focus when they appear. */
export function ErrorSummary({ errors, getFieldId = (field) => `field-${field}` }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length > 0) box.current?.focus();
  }, [errors]);
  if (errors.length === 0) return null;
  return (
    <div ref={box} role="alert" tabIndex={-1} className={styles.summary}>
      <Text weight="bold">There is a problem</Text>
      <Stack as="ul" gap={4}>
        {errors.map(({ field, message }) => (
          <li key={`${field ?? ''}${message}`}>
            {field === undefined ? (
              message
            ) : (
              <a
                href={`#${getFieldId(field)}`}
                className={styles.link}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(getFieldId(field))?.focus();
                }}
              >
                {message}
              </a>
            )}
          </li>
        ))}
      </Stack>
    </div>
  );
}
