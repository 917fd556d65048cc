import { Page } from '../../ui/page.tsx';

/** What filing a VAT return with us is, for visitors. */
export function VatReturnInfoScreen() {
  return (
    <Page
      title="File your VAT return with us"
      maxWidth="text"
      lead="Your books in, nine boxes checked, one declaration, HMRC’s receipt kept."
    >
      {null}
    </Page>
  );
}
