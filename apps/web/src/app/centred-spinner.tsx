import { HiddenText } from '../ui/hidden-text.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './shell.module.css';

/** A spinner in the centre of its container. `label` is for screen readers. */
export function CentredSpinner({ label }: { label: string }) {
  return (
    <div aria-busy="true" className={styles.centre}>
      <Spinner size={40} />
      <HiddenText role="status">{label}</HiddenText>
    </div>
  );
}
