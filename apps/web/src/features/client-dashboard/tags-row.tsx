/** The practice's own tags for a client. Each links to the list of all clients with that tag. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { MAX_TAG_LENGTH } from '@portal/domain/clients/tags.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { focusOnMount } from '../../lib/focus-on-mount.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toClientInput, type ClientIds, type ClientProfile } from './client-page.ts';
import styles from './tags-row.module.css';
import { SubmitButton } from '../../ui/submit-button.tsx';

export function TagsRow({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const [isEditing, setEditing] = useState(false);
  const [tagText, setText] = useState('');
  const listId = useId();
  const tagsQuery = useQuery({ ...apiQuery(clientDashboardApi.practiceTags, { company_id: ids.companyId }), enabled: isEditing });
  const invalidateClients = useInvalidateClients();
  const save = useMutation({
    mutationFn: (tags: readonly string[]) => apiRequest(clientDashboardApi.setTags, { ...toClientInput(ids), tags: [...tags] }),
    onSuccess: async () => {
      setText('');
      await invalidateClients();
    },
  });
  const missing = tagText.trim() === '' ? 'Type a tag first.' : undefined;
  return (
    <div className={styles.row}>
      <span className={styles.label}>Tags</span>
      <ul className={styles.tags} aria-label="Tags">
        {client.tags.map((tag) => (
          <li key={tag} className={styles.tag}>
            <TextLink to={getPageLink('practiceClients', { company_id: ids.companyId, tag })} inheritsColour>
              {tag}
            </TextLink>
            {isEditing && (
              <button type="button" disabled={save.isPending} onClick={() => save.mutate(client.tags.filter((other) => other !== tag))}>
                <span aria-hidden>×</span>
                <HiddenText>Remove tag {tag}</HiddenText>
              </button>
            )}
          </li>
        ))}
      </ul>
      {isEditing && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (missing === undefined) save.mutate([...client.tags, tagText]);
          }}
        >
          <TextInput
            small
            aria-label="New tag"
            ref={focusOnMount}
            list={listId}
            value={tagText}
            onChange={({ target: { value } }) => setText(value)}
            maxLength={MAX_TAG_LENGTH}
            widthInCharacters={16}
          />
          <datalist id={listId}>
            {tagsQuery.data?.tags.map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </datalist>
          <SubmitButton size="small" variant="outlined" missing={missing} isBusy={save.isPending}>
            Add <HiddenText>tag</HiddenText>
          </SubmitButton>
        </form>
      )}
      <Button size="small" variant="text" fit="flush" onClick={() => setEditing(!isEditing)}>
        {isEditing ? 'Done' : client.tags.length === 0 ? 'Add tags' : 'Edit tags'}
      </Button>
      {save.error !== null && (
        <Text role="alert" size="small" tone="error">
          {getErrorText(save.error)}
        </Text>
      )}
    </div>
  );
}
