import { CopyButton } from './copy-button.tsx';
import { Row } from './layout.tsx';
import styles from './short-hash.module.css';

/** Enough characters to distinguish two hashes at a glance. The whole hash can be copied. */
const SHOWN_LENGTH = 12;

/** A shortened hash with a button to copy the whole one. */
export function ShortHash({ hash, what }: { hash: string; what: string }) {
  return (
    <Row as="span" gap={8}>
      <code title={hash} className={styles.hash}>
        {hash.length > SHOWN_LENGTH ? `${hash.slice(0, SHOWN_LENGTH)}…` : hash}
      </code>
      <CopyButton text={hash} what={what} />
    </Row>
  );
}
