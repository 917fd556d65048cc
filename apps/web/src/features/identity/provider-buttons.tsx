import Box from '@mui/material/Box';
import { useState } from 'react';
import { LOGIN_PROVIDERS, providerSignInUrl } from '../../lib/sign-in-providers.ts';
import { BrandButton } from '../../ui/brand-button.tsx';
import { HmrcForm } from './hmrc-form.tsx';

/** One button for each provider; links, because each leaves for the provider's own page. HMRC's first asks for the company's VAT number. */
export function ProviderButtons({ next, startsWithHmrc }: { next: string | undefined; startsWithHmrc: boolean }) {
  const [asksVrn, setAsksVrn] = useState(startsWithHmrc);
  return (
    <>
      <Box
        component="ul"
        sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        {LOGIN_PROVIDERS.map(({ name, brand }) => (
          <li key={name}>
            {name === 'hmrc' ? (
              <BrandButton brand={brand} onClick={() => setAsksVrn(!asksVrn)} expanded={asksVrn} />
            ) : (
              <BrandButton brand={brand} href={providerSignInUrl(name, { next })} />
            )}
          </li>
        ))}
      </Box>
      {asksVrn && <HmrcForm next={next} />}
    </>
  );
}
