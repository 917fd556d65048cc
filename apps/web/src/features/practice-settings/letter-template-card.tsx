/** The practice's letter of engagement, used as the template for each client's letter. */
import { engagementApi } from '@portal/contract/engagement.ts';
import {
  LETTER_FIELD_HINTS,
  LETTER_FIELDS,
  listUnknownLetterFields,
  MAX_LETTER_TEXT_LENGTH,
} from '@portal/domain/engagement/engagement-letter.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';

export function LetterTemplateCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(engagementApi.template, { company_id: companyId }));
  return (
    <SectionCard
      title="Letter of engagement"
      source={
        query.data?.updated_at && (
          <>
            Changed by {query.data.updated_by}, <InstantText at={query.data.updated_at} />. Letters already sent don’t change.
          </>
        )
      }
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {({ text }) => <TemplateForm key={companyId} companyId={companyId} saved={text} />}
      </LoadState>
    </SectionCard>
  );
}

function TemplateForm({ companyId, saved }: { companyId: string; saved: string }) {
  const [letterText, setText] = useState(saved);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(engagementApi.saveTemplate, { company_id: companyId, text: letterText }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [engagementApi.template.path] });
      toast('success', 'Letter saved');
    },
  });
  const [unknownField] = listUnknownLetterFields(letterText);
  const hint = 'Write or paste your own letter. Clients sign it in the client portal by typing their name.';
  const error =
    save.error !== null ? getErrorText(save.error) : unknownField === undefined ? undefined : `{${unknownField}} isn’t a field.`;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap={16}>
        <FieldFrame id="letter-template" label="Text" hint={hint} error={error}>
          <TextArea
            id="letter-template"
            rows={14}
            maxLength={MAX_LETTER_TEXT_LENGTH}
            isInvalid={error !== undefined}
            aria-describedby={getDescribedBy('letter-template', hint, error)}
            value={letterText}
            onChange={({ target: { value } }) => setText(value)}
          />
        </FieldFrame>
        <Text size="small" tone="quiet">
          Fields: {LETTER_FIELDS.map((field) => `{${field}} ${LETTER_FIELD_HINTS[field]}`).join('; ')}.
        </Text>
        <Row gap={12}>
          <SubmitButton
            missing={getMissingText(
              [letterText.trim() === '' ? 'Write your letter first.' : undefined, unknownField === undefined ? undefined : error],
              letterText !== saved,
            )}
            isBusy={save.isPending}
          >
            Save letter
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
