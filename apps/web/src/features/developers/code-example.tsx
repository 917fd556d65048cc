import { CopyButton } from '../../ui/copy-button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './code-example.module.css';

/** Text to copy. On narrow screens it scrolls horizontally, including with the keyboard. */
export function CodeExample({ title, code }: { title: string; code: string }) {
  return (
    <div className={styles.example}>
      <Row justify="between" gap={8} className={styles.head}>
        <Text as="span" size="small" weight="medium">
          {title}
        </Text>
        <CopyButton text={code} what={`example “${title}”`} />
      </Row>
      <pre className={styles.code} tabIndex={0} role="region" aria-label={title}>
        {code}
      </pre>
    </div>
  );
}
