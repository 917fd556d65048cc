import {
  AllDoneIllustration,
  NoBooksIllustration,
  NoClientsIllustration,
  NoReturnsIllustration,
  NothingToReviewIllustration,
} from '../../ui/illustrations.tsx';
import { Sample, Samples, Section } from './section.tsx';

export function IllustrationSamples() {
  return (
    <Section id="illustrations" title="Illustrations" lead="Decorative, for empty states. They follow the page’s theme and colour scheme.">
      <Samples>
        <Sample name="No clients">
          <NoClientsIllustration />
        </Sample>
        <Sample name="No returns">
          <NoReturnsIllustration />
        </Sample>
        <Sample name="No books">
          <NoBooksIllustration />
        </Sample>
        <Sample name="Nothing to review">
          <NothingToReviewIllustration />
        </Sample>
        <Sample name="All done">
          <AllDoneIllustration />
        </Sample>
      </Samples>
    </Section>
  );
}
