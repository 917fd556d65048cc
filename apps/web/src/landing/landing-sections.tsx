/** The sections that the partners' and OpenTax's landing pages share. */
import { useId, type ReactNode } from 'react';
import { Heading } from '../ui/text.tsx';
import styles from './landing-sections.module.css';

type HeroProps = {
  title: string;
  lead: string;
  /** Links that look like buttons. */
  actions: ReactNode;
  /** A line about the price, below the actions. */
  note: string;
  /** The example shown beside the text. */
  children: ReactNode;
};

export function Hero({ title, lead, actions, note, children }: HeroProps) {
  return (
    <section className={styles.hero}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.actions}>{actions}</div>
        <p className={styles.note}>{note}</p>
      </div>
      {children}
    </section>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Heading level={2} id={id} className={styles.sectionTitle}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

/** A framed example with a name and a figure on each line. */
export function Example({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.example} aria-labelledby={id}>
      <Heading level={2} id={id}>
        {title}
      </Heading>
      <dl>{children}</dl>
      <p className={styles.note}>{note}</p>
    </section>
  );
}

type ExampleLineProps = { name: string; detail?: string; figure: string; isTotal?: boolean };

export function ExampleLine({ name, detail, figure, isTotal = false }: ExampleLineProps) {
  return (
    <div className={isTotal ? styles.total : styles.line}>
      <dt>
        {name}
        {detail !== undefined && <span>{detail}</span>}
      </dt>
      <dd>{figure}</dd>
    </div>
  );
}

export function Steps({ steps }: { steps: readonly { readonly title: string; readonly text: string }[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text }) => (
        <li key={title}>
          <Heading level={3}>{title}</Heading>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

/** Terms with their explanations, in two columns. */
export function Terms({ terms }: { terms: readonly { readonly term: string; readonly text: string }[] }) {
  return (
    <dl className={styles.terms}>
      {terms.map(({ term, text }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Question = { readonly question: string; readonly answer: string };

/** Common questions, which expand to show their answers, even without JavaScript. */
export function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <Section title="Common questions">
      <div className={styles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}

/** Highlighted text that visitors should read before they sign up. */
export function Callout({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.callout} aria-labelledby={id}>
      <Heading level={2} id={id}>
        {title}
      </Heading>
      {children}
    </section>
  );
}
