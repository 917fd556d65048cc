import { Component, type ReactNode } from 'react';

/** Shown if the live demo fails to load or render. */
export class DemoFailure extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="demo-failure">
        <div role="alert">
          <h1>The demo did not load</h1>
          <p>Check your internet connection, then load the page again.</p>
        </div>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </main>
    );
  }
}
