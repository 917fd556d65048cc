import { useToast } from '../../ui/toast.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Sample, Samples, Section } from './section.tsx';

const STATES = [
  { state: 'success', heading: 'Your return is filed', sub: 'HMRC received it on 21 November 2026 at 09:14.' },
  { state: 'error', heading: 'HMRC rejected the return', sub: 'Nothing was filed. Box 4 must be filled in first.' },
  { state: 'warning', heading: 'Your permission ends in 5 days', sub: 'Renew it, or we’ll no longer be able to read your VAT periods.' },
  { state: 'pending', heading: 'HMRC is checking your return', sub: 'This often takes 5 working days.' },
  { state: 'loading', heading: 'Filing your return', sub: 'Please keep this page open.' },
] as const;

export function StatusSamples() {
  const toast = useToast();
  return (
    <Section id="status-panel" title="Status panel" lead="Five states, each with its own 80 by 80 px image. Skip is hidden while loading.">
      <Samples minWidth={320}>
        {STATES.map(({ state, heading, sub }) => (
          <Sample key={state} name={state}>
            <StatusPanel
              state={state}
              heading={heading}
              headingLevel={3}
              subHeading={sub}
              onContinue={() => toast('success', 'Continue selected')}
              onSkip={() => toast('success', 'Skip selected')}
            />
          </Sample>
        ))}
        <Sample name="Content, and buttons with their own labels">
          <StatusPanel
            state="success"
            heading="£12,340.55 is on its way"
            headingLevel={3}
            onContinue={() => toast('success', 'Go to the dashboard selected')}
            continueLabel="Go to the dashboard"
            onSkip={() => toast('success', 'Later selected')}
            skipLabel="Later"
          >
            It will reach the account ending 4321 today.
          </StatusPanel>
        </Sample>
        <Sample name="Image only">
          <StatusPanel state="pending" />
        </Sample>
      </Samples>
    </Section>
  );
}
