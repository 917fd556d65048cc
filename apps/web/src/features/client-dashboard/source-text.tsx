import type { TaxFigures } from './client-page.ts';
import { InstantText } from '../../components/formats/date-text.tsx';

type SourceProps = Pick<TaxFigures, 'source' | 'as_of'>;

export const SOURCE_NAMES: Readonly<Record<SourceProps['source'], string>> = {
  hmrc: 'HMRC',
  statement: 'Imported statement',
  companies_house: 'Companies House',
  rule: 'Statutory deadline',
};

/** The source and date of a figure: "HMRC, 21 November 2026, 09:14". */
export function SourceText({ source, as_of: asOf }: SourceProps) {
  return (
    <>
      {SOURCE_NAMES[source]}
      {asOf !== null && (
        <>
          , <InstantText at={asOf} />
        </>
      )}
    </>
  );
}
