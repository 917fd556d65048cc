import { Component, type ReactNode } from 'react';
import { getButtonClass } from '../ui/button-look.ts';
import { Heading, Text } from '../ui/text.tsx';
import styles from './landing.module.css';

/** Shown if the live demo fails to load or render. */
export class DemoFailure extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className={styles.failure}>
        <div role="alert">
          <Heading level={1}>We couldn’t load the demo</Heading>
          <Text>Check your internet connection, then reload the page.</Text>
        </div>
        <button type="button" className={getButtonClass({})} onClick={() => location.reload()}>
          Reload the page
        </button>
      </main>
    );
  }
}
