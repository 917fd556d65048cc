import type { ApprovalOutput } from '@portal/contract/return-approvals.ts';
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { FileReturnCard } from '../../components/vat-returns/file-return-card.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';

type ClientFilingCardProps = {
  data: VatReturnOutput;
  boxes: NineBoxesOutput;
  version: string;
  output: ApprovalOutput;
  input: ClientReturnTarget;
};

/** Filing needs the client's approval of these figures and the filing permission. If either is missing, the card explains this. */
export function ClientFilingCard({ data, boxes, version, output: { approval, may }, input }: ClientFilingCardProps) {
  const isApproved = approval !== null && approval.ended_at === null && approval.state === 'approved';
  if (isApproved && may.file) return <FileReturnCard data={data} boxes={boxes} figuresVersion={version} input={input} />;
  return (
    <SectionCard title="Filing">
      <Text measure>
        {may.file
          ? 'You can file this return once the client has approved its figures.'
          : 'You can’t file returns for clients. An admin can give you the “File clients’ returns” permission in Settings, Team.'}
      </Text>
    </SectionCard>
  );
}
