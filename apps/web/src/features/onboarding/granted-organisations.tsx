/** The organisations that a user allowed us to read when they signed up. Choosing one fills in the company and connects its books. */
import type { Progress } from '@portal/contract/onboarding.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './granted-organisations.module.css';

export type GrantedBooks = NonNullable<Progress['granted_books']>;
export type GrantedOrganisation = GrantedBooks['organisations'][number];

type GrantedOrganisationsProps = {
  granted: GrantedBooks;
  /** Null if the user chose none of them. Undefined until they choose. */
  chosen: GrantedOrganisation | null | undefined;
  choose: (organisation: GrantedOrganisation | null) => void;
};

export function GrantedOrganisations({ granted, chosen, choose }: GrantedOrganisationsProps) {
  const providerName = BOOKS_PROVIDER_NAMES[granted.program];
  return (
    <Stack gap={8} className={styles.choice} role="radiogroup" aria-labelledby="granted-organisations">
      <Heading level={2} size="part" id="granted-organisations">
        Which {providerName} organisation is your company?
      </Heading>
      <Text tone="quiet">
        We’ll fill in its details and connect its books, so you don’t have to give permission again. We only read data.
      </Text>
      {granted.organisations.map((organisation) => (
        <Radio
          key={organisation.organisation_id}
          name="granted-organisation"
          label={organisation.vrn === null ? organisation.name : `${organisation.name}, VAT number ${formatVrn(organisation.vrn)}`}
          checked={chosen?.organisation_id === organisation.organisation_id}
          onChange={() => choose(organisation)}
        />
      ))}
      <Radio
        name="granted-organisation"
        label="A different company. I’ll add its books later"
        checked={chosen === null}
        onChange={() => choose(null)}
      />
    </Stack>
  );
}
