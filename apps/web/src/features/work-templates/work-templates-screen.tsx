/** Task templates: the tasks of a service, and whether HMRC obligations create them automatically. */
import { workTemplatesApi, type WorkTemplateView } from '@portal/contract/work-templates.ts';
import { WORK_SERVICE_NAMES } from '@portal/domain/work-items/work-item.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeStep, describeTrigger } from './template-text.ts';
import { TemplateDialog } from './template-dialog.tsx';
import { SwitchDialog } from './switch-dialog.tsx';

export function WorkTemplatesScreen() {
  const { companyId } = useCompanyId();
  const isAdmin = useIsAdmin(companyId);
  const [editedTemplate, setEditedTemplate] = useState<WorkTemplateView | 'new' | null>(null);
  const [templateToSwitch, setTemplateToSwitch] = useState<WorkTemplateView | null>(null);
  const query = useQuery({ ...apiQuery(workTemplatesApi.list, { company_id: companyId }), enabled: companyId !== '' });
  return (
    <PracticePage
      title="Task templates"
      lead={
        <>
          The tasks needed for each service. A template can create its tasks automatically when an HMRC period ends.{' '}
          <TextLink to={getPageLink('workItems', { company_id: companyId })}>Back to tasks</TextLink>
        </>
      }
      actions={isAdmin && <Button onClick={() => setEditedTemplate('new')}>New template</Button>}
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {({ templates }) => (
          <Stack gap={16}>
            {templates.map((template) => (
              <Template
                key={template.key}
                companyId={companyId}
                template={template}
                isAdmin={isAdmin}
                onEdit={() => setEditedTemplate(template)}
                onSwitch={() => setTemplateToSwitch(template)}
              />
            ))}
          </Stack>
        )}
      </LoadState>
      {editedTemplate !== null && (
        <TemplateDialog
          companyId={companyId}
          template={editedTemplate === 'new' ? undefined : editedTemplate}
          onClose={() => setEditedTemplate(null)}
        />
      )}
      {templateToSwitch !== null && (
        <SwitchDialog companyId={companyId} template={templateToSwitch} onClose={() => setTemplateToSwitch(null)} />
      )}
    </PracticePage>
  );
}

type TemplateProps = { companyId: string; template: WorkTemplateView; isAdmin: boolean; onEdit: () => void; onSwitch: () => void };

function Template({ companyId, template, isAdmin, onEdit, onSwitch }: TemplateProps) {
  const { key, name, service, steps, trigger, is_on: isOn, is_built_in: isBuiltIn, is_changed: isChanged } = template;
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => apiRequest(workTemplatesApi.remove, { company_id: companyId, key }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workTemplatesApi.list.path] }),
  });
  const hiddenName = <HiddenText> {name}</HiddenText>;
  return (
    <SectionCard
      title={name}
      aside={isOn ? <StateChip label="Creates tasks automatically" icon="checkCircle" tone="success" /> : undefined}
      source={`${WORK_SERVICE_NAMES[service]}. ${describeTrigger(template)}`}
    >
      <Stack gap={12}>
        <Stack as="ol" gap={4} aria-label={`Tasks in ${name}`}>
          {steps.map((step, index) => (
            <Text as="li" key={index}>
              {step.title}{' '}
              <Text as="span" tone="quiet">
                ({describeStep(step, trigger !== null)})
              </Text>
            </Text>
          ))}
        </Stack>
        {remove.error && <Text role="alert">{getErrorText(remove.error)}</Text>}
        {isAdmin && (
          <Row gap={8}>
            {trigger !== null && (
              <Button size="small" variant="outlined" onClick={onSwitch}>
                {isOn ? 'Switch off' : 'Switch on'}
                {hiddenName}
              </Button>
            )}
            <Button size="small" variant="outlined" onClick={onEdit}>
              Change{hiddenName}
            </Button>
            {(!isBuiltIn || isChanged) && (
              <Button size="small" variant="text" tone="error" onClick={() => remove.mutate()} disabled={remove.isPending}>
                {isBuiltIn ? 'Reset to original' : 'Delete'}
                {hiddenName}
              </Button>
            )}
          </Row>
        )}
      </Stack>
    </SectionCard>
  );
}
