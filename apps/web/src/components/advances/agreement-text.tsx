import styles from './agreement-text.module.css';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';

/** The agreement's fixed text, one paragraph per line. It is a focusable region, so that it can be scrolled with the keyboard. */
export function AgreementText({ text }: { text: string }) {
  const [heading = '', ...paragraphs] = text.split('\n');
  return (
    <Stack as="section" gap={12} role="region" aria-label="The agreement" tabIndex={0} className={styles.agreement}>
      <Text weight="bold">{heading}</Text>
      {paragraphs.map((paragraph) => (
        <Text key={paragraph} measure>
          {paragraph}
        </Text>
      ))}
    </Stack>
  );
}
