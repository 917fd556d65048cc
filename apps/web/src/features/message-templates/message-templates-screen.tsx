/** The practice's own message templates. */
import { messageTemplatesApi, type OwnMessageTemplate } from '@portal/contract/message-templates.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageTemplateDialog } from './message-template-dialog.tsx';

export function MessageTemplatesScreen() {
  const { companyId } = useCompanyId();
  const profile = usePracticeProfile(companyId);
  const backLink = <TextLink to={getPageLink('practiceMessages', { company_id: companyId })}>All messages</TextLink>;
  return (
    <PracticePage title="Message templates" lead={backLink}>
      <LoadState query={profile} skeleton={<TableSkeleton />}>
        {({ permissions }) =>
          permissions.includes('message_clients') ? (
            <TemplateList companyId={companyId} />
          ) : (
            <Notice tone="info" title="You can’t message clients">
              You need the “Message clients” permission for this. Ask an admin of your practice.
            </Notice>
          )
        }
      </LoadState>
    </PracticePage>
  );
}

function TemplateList({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(messageTemplatesApi.list, { company_id: companyId }));
  const [open, setOpen] = useState<OwnMessageTemplate | 'new' | null>(null);
  return (
    <Stack>
      <div>
        <Button onClick={() => setOpen('new')}>New template</Button>
      </div>
      <LoadState query={query} skeleton={<TableSkeleton />}>
        {({ templates }) => (
          <SectionCard>
            {templates.length === 0 ? (
              <EmptyState
                illustration={<NothingToReviewIllustration />}
                title="No templates of your own yet"
                text="Save messages you send often, and use them wherever you message clients."
              />
            ) : (
              <Stack as="ul" gap={16}>
                {templates.map((template) => (
                  <TemplateItem key={template.template_id} companyId={companyId} template={template} onEdit={() => setOpen(template)} />
                ))}
              </Stack>
            )}
          </SectionCard>
        )}
      </LoadState>
      {open !== null && (
        <MessageTemplateDialog companyId={companyId} template={open === 'new' ? undefined : open} onClose={() => setOpen(null)} />
      )}
    </Stack>
  );
}

type ItemProps = { companyId: string; template: OwnMessageTemplate; onEdit: () => void };

function TemplateItem({ companyId, template, onEdit }: ItemProps) {
  const { template_id: id, name, subject, version, updated_at: at, updated_by: by } = template;
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => apiRequest(messageTemplatesApi.remove, { company_id: companyId, template_id: id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [messageTemplatesApi.list.path] }),
  });
  return (
    <Row as="li" justify="between">
      <Stack gap={4}>
        <Text weight="medium">{name}</Text>
        <Text size="small">{subject}</Text>
        <Text size="small" tone="quiet">
          Version {version}, by {by}, <InstantText at={at} />
        </Text>
        {remove.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(remove.error)}
          </Text>
        )}
      </Stack>
      <Row>
        <Button size="small" variant="outlined" onClick={onEdit}>
          Edit<HiddenText> {name}</HiddenText>
        </Button>
        <Button size="small" variant="text" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete<HiddenText> {name}</HiddenText>
        </Button>
      </Row>
    </Row>
  );
}
