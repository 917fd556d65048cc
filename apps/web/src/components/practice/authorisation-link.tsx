import styles from './authorisation-link.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';

/** The HMRC link that the client uses to accept the request, ready to copy. */
export function AuthorisationLink({ url, tax }: { url: string; tax: string }) {
  return (
    <div className={styles.link}>
      <Text size="small" weight="medium">
        Link for your client
      </Text>
      <Row gap={8}>
        <code className={styles.url}>{url}</code>
        <CopyButton text={url} what={`link for ${tax}`} />
      </Row>
    </div>
  );
}
