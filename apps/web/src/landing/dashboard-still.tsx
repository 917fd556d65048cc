/** A picture of the demo dashboard in plain markup, in the look of the real one; it says nothing to a screen reader. */
import { LogoMark } from '../ui/logo-mark.tsx';

const STAGES = [
  { title: 'Return filed', when: '3 November 2026', state: 'done' },
  { title: 'Offer accepted', when: '3 November 2026', state: 'done' },
  { title: 'Paid to you', when: '4 November 2026, 09:12', state: 'now' },
  { title: 'HMRC repays', when: 'Expected by 3 December 2026', state: 'next' },
] as const;

/** VAT out and in by period, in parts of the tallest bar. */
const BARS = [
  { period: 'Oct 2025', out: 52, in: 71 },
  { period: 'Jan 2026', out: 48, in: 83 },
  { period: 'Apr 2026', out: 61, in: 78 },
  { period: 'Jul 2026', out: 44, in: 92 },
  { period: 'Oct 2026', out: 57, in: 100 },
] as const;

export function DashboardStill({ brand, isLoading = false }: { brand: string; isLoading?: boolean }) {
  return (
    <div className="still" aria-hidden="true" inert aria-busy={isLoading}>
      <header>
        <span className="logo">
          <LogoMark />
          {brand}
        </span>
        <span className="avatar">AD</span>
      </header>
      <div className="still-main">
        <p className="still-title">Albion Demo Ltd</p>
        <div className="cards">
          <section className="card half">
            <h2>Next deadline</h2>
            <p className="figure">7 February 2027</p>
            <p className="under">VAT return for October to December 2026, in 55 working days</p>
          </section>
          <section className="card half">
            <h2>The open period</h2>
            <p className="figure">£3,904.18</p>
            <p className="under">HMRC owes you so far, for 1 October to 31 December 2026</p>
          </section>
          <section className="card wide">
            <h2>Your refund, early</h2>
            <p className="figure">£12,217.14</p>
            <p className="under">paid to you. Refund £12,340.55, less our fee of £123.41</p>
            <ol className="stages">
              {STAGES.map(({ title, when, state }) => (
                <li key={title} className={state}>
                  <strong>{title}</strong>
                  <span>{when}</span>
                </li>
              ))}
            </ol>
          </section>
          <section className="card narrow">
            <h2>Your VAT by period</h2>
            <div className="bars">
              {BARS.map(({ period, out, in: paid }) => (
                <div key={period}>
                  <i className="out" style={{ height: `${out}%` }} />
                  <i className="in" style={{ height: `${paid}%` }} />
                  <span>{period}</span>
                </div>
              ))}
            </div>
          </section>
        </div>
      </div>
    </div>
  );
}
