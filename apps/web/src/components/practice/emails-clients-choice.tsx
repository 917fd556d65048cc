import { Checkbox } from '../../ui/choice.tsx';

type EmailsClientsChoiceProps = {
  checked: boolean;
  /** Only admins can change it, for the whole practice. */
  canChange: boolean;
  onChange: (isChecked: boolean) => void;
  /** True if the choice applies to several clients. */
  isMany?: boolean;
};

/** Lets the user choose whether HMRC's link for a request is emailed to clients. */
export function EmailsClientsChoice({ checked, canChange, onChange, isMany = false }: EmailsClientsChoiceProps) {
  return (
    <Checkbox
      checked={checked}
      disabled={!canChange}
      onChange={(event) => onChange(event.target.checked)}
      label={isMany ? 'Email each client HMRC’s link' : 'Email the client HMRC’s link'}
      hint={
        canChange
          ? 'Plus one reminder about a week before the link expires, if they haven’t responded. Your choice is saved for the whole practice.'
          : 'Your practice has set this. An admin can change it.'
      }
    />
  );
}
