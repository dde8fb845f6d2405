import { Component, type ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** What a page throws while it is shown, as a file of it that an upgrade has taken away, is told in its place. */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="notice error" role="alert">
        <Icon name="warning" />
        <div>
          <strong>This page could not be shown</strong>
          <p>The service may have been upgraded since it was loaded. Nothing is lost.</p>
          <button type="button" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        </div>
      </div>
    );
  }
}
