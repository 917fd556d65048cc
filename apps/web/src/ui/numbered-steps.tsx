import { Text } from './text.tsx';
import styles from './numbered-steps.module.css';

/** Consecutive steps, numbered. */
export function NumberedSteps({ steps }: { steps: readonly { readonly title: string; readonly text: string }[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text }, index) => (
        <li key={title}>
          <span aria-hidden="true" className={styles.number}>
            {index + 1}
          </span>
          <div>
            <Text weight="bold">{title}</Text>
            <Text tone="quiet">{text}</Text>
          </div>
        </li>
      ))}
    </ol>
  );
}
