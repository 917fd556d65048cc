import { Checkbox } from '../../ui/choice.tsx';

type EmailsClientsChoiceProps = {
  checked: boolean;
  /** Only an admin can change it, for the whole practice. */
  canChange: boolean;
  onChange: (checked: boolean) => void;
  /** True if the choice concerns several clients. */
  isMany?: boolean;
};

/** Chooses whether clients are emailed HMRC's link to a request. */
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
