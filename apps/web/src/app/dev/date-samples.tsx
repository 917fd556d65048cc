import { toInstant, toLondonDate } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { getCorporationTaxFinancialYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { useState } from 'react';
import { formatNumericDate, getQuarterHourBefore, isWeekend, isWithinHours } from '../../lib/date-texts.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Sample, Samples, Section } from './section.tsx';

export function DateSamples() {
  const [now] = useState(() => toInstant(Date.now()));
  const today = toLondonDate(now);
  return (
    <Section id="dates" title="Dates" lead="Screens show dates in words. Numeric dates are for files and other services.">
      <Samples minWidth={4000}>
        <Sample name="When this page was opened, in London">
          <FactList
            facts={[
              { label: 'In words', value: formatDate(today) },
              { label: 'In a table', value: formatDate(today, 'short') },
              { label: 'en-GB', value: formatNumericDate(today, 'en-GB') },
              { label: 'Year-month-day', value: formatNumericDate(today, 'year-month-day') },
              { label: 'Day-month-year', value: formatNumericDate(today, 'day-month-year') },
              { label: 'Weekend', value: isWeekend(today) ? 'Yes' : 'No' },
              { label: 'Financial year, from April', value: String(getCorporationTaxFinancialYear(today)) },
              { label: '15 minutes ago', value: getQuarterHourBefore(now) },
              { label: 'Between 9 and 17', value: isWithinHours(now, 9, 17) ? 'Yes' : 'No' },
            ]}
          />
        </Sample>
      </Samples>
    </Section>
  );
}
