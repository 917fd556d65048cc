import type { StaffNotificationChoices } from '@portal/contract/staff-notifications.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import { EMAIL_CHOICES, type EmailChoice } from '@portal/domain/staff-notifications/notification-kinds.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { Select } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './settings.module.css';

type Choice = StaffNotificationChoices['kinds'][number];

const EMAIL_NAMES: Readonly<Record<EmailChoice, string>> = { now: 'Email immediately', digest: 'In the digest', off: 'No email' };

/** One kind of notification: whether it appears in the portal, and how it is emailed. */
export function KindChoice({ choice, onChange }: { choice: Choice; onChange: (choice: Choice) => void }) {
  const { kind, portal, email, is_required: isRequired } = choice;
  const { label, hint } = NOTIFICATION_KIND_FACTS[kind];
  return (
    <Stack as="fieldset" gap={4} className={styles.choices}>
      <Text as="legend" weight="medium">
        {label}
      </Text>
      <Text size="small" tone="quiet" measure>
        {hint}
      </Text>
      {isRequired ? (
        <Text size="small">Always in the portal and by email.</Text>
      ) : (
        <Row gap={24}>
          <Checkbox label="In the portal" checked={portal} onChange={({ target }) => onChange({ ...choice, portal: target.checked })} />
          <Select
            small
            widthInCharacters={14}
            aria-label={`${label}: email`}
            value={email}
            onChange={({ target }) => onChange({ ...choice, email: target.value as EmailChoice })}
          >
            {EMAIL_CHOICES.map((item) => (
              <option key={item} value={item}>
                {EMAIL_NAMES[item]}
              </option>
            ))}
          </Select>
        </Row>
      )}
    </Stack>
  );
}
