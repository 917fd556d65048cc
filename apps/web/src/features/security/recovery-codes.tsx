/** Recovery codes, shown once, with buttons to copy, save or print them. */
import { getBrandName } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Heading } from '../../ui/text.tsx';
import styles from './recovery-codes.module.css';

type RecoveryCodesProps = { codes: readonly string[]; email: string; close: () => void };

export function RecoveryCodes({ codes, email, close }: RecoveryCodesProps) {
  const title = `Recovery codes for ${email} at ${getBrandName()}`;
  const codesText = `${title}\nUse one instead of a code from your app. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <Stack className={styles.recoveryCodes}>
      <Notice tone="warning" title="Save these recovery codes now" role="status">
        We only show them once. If you lose your phone, you can log in with one of them instead of your app. Each works once.
      </Notice>
      <Heading level={3} className={styles.title}>
        {title}
      </Heading>
      <ul aria-label="Recovery codes" className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <ButtonRow>
        <CopyButton text={codes.join('\n')} what="recovery codes" />
        <Button
          variant="outlined"
          size="small"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(codesText)}`}
          download="recovery-codes.txt"
        >
          <Icon name="download" size={18} />
          Download
        </Button>
        <Button variant="outlined" size="small" onClick={() => print()}>
          Print
        </Button>
      </ButtonRow>
      <div>
        <Button onClick={close}>I’ve saved them</Button>
      </div>
    </Stack>
  );
}
