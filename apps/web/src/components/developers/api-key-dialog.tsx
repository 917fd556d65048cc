/** Creates an API key and then shows it once. */
import { apiKeysApi, companyApiKeysApi } from '@portal/contract/api-keys.ts';
import {
  API_SCOPE_NAMES,
  API_SCOPES,
  COMPANY_SCOPES,
  KEY_LIFETIMES,
  type ApiScope,
  type KeyLifetime,
} from '@portal/domain/developers/api-scopes.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './developers.module.css';

type ApiKeyDialogProps = { of: 'practice' | 'company'; companyId: string; onClose: () => void };

const DEFAULT_DAYS: KeyLifetime = 90;

export function ApiKeyDialog({ of, companyId, onClose }: ApiKeyDialogProps) {
  const queryClient = useQueryClient();
  const choices: readonly ApiScope[] = of === 'practice' ? API_SCOPES : COMPANY_SCOPES;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiScope[]>(of === 'practice' ? ['clients.read', 'figures.read'] : COMPANY_SCOPES);
  const [days, setDays] = useState<KeyLifetime>(DEFAULT_DAYS);
  const create = useMutation({
    mutationFn: () =>
      of === 'practice'
        ? apiRequest(apiKeysApi.create, { company_id: companyId, name, scopes: [...scopes], days })
        : apiRequest(companyApiKeysApi.create, { company_id: companyId, name, scopes: [...COMPANY_SCOPES], days }),
    onSettled: () =>
      Promise.all([apiKeysApi.list, companyApiKeysApi.list].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });
  if (create.data) return <CreatedKey apiKey={create.data.key} onClose={onClose} />;
  const toggle = (scope: ApiScope) =>
    setScopes(
      scopes.includes(scope) ? scopes.filter((item) => item !== scope) : choices.filter((item) => item === scope || scopes.includes(item)),
    );
  return (
    <ModalDialog open small heading="Create an API key" onClose={onClose} loading={create.isPending}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack gap={16}>
          {create.error && (
            <Notice tone="error" title="No key was created" role="alert">
              {getErrorText(create.error)}
            </Notice>
          )}
          <Text size="small" tone="quiet">
            The key acts for you, and can never do more than you can. It’s revoked when you leave or reset your password.
          </Text>
          <FieldFrame id="key-name" label="Name" hint="What it’s for, for example “Nightly report”.">
            <TextInput id="key-name" value={name} onChange={({ target }) => setName(target.value)} autoComplete="off" maxLength={160} />
          </FieldFrame>
          <fieldset>
            <legend>What it can do</legend>
            {choices.map((scope) => (
              <Checkbox
                key={scope}
                label={API_SCOPE_NAMES[scope]}
                hint={<code className={styles.code}>{scope}</code>}
                checked={scopes.includes(scope)}
                disabled={choices.length === 1}
                onChange={() => toggle(scope)}
              />
            ))}
          </fieldset>
          <FieldFrame id="key-days" label="Valid for">
            <Select
              id="key-days"
              value={String(days)}
              onChange={({ target }) => setDays(KEY_LIFETIMES.find((item) => String(item) === target.value) ?? DEFAULT_DAYS)}
            >
              {KEY_LIFETIMES.map((item) => (
                <option key={item} value={item}>
                  {item} days
                </option>
              ))}
            </Select>
          </FieldFrame>
          <SubmitButton
            isBusy={create.isPending}
            missing={getMissingText([
              name.trim() === '' ? 'Enter a name for the key.' : undefined,
              scopes.length === 0 ? 'Select at least one permission.' : undefined,
            ])}
          >
            Create key
          </SubmitButton>
        </Stack>
      </form>
    </ModalDialog>
  );
}

function CreatedKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <ModalDialog open small heading="Copy your API key now" onClose={onClose}>
      <Stack gap={16}>
        <Text>We only store a fingerprint of it, so we can’t show it again. Keep it with your passwords.</Text>
        <code className={styles.secret} data-testid="api-key">
          {apiKey}
        </code>
        <ButtonRow>
          <CopyButton text={apiKey} what="API key" />
          <Button onClick={onClose}>Done</Button>
        </ButtonRow>
      </Stack>
    </ModalDialog>
  );
}
