import { Component, type ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** A file of a page did not come. */
export class NotLoaded extends Error {}

interface Props {
  /** Makes the pages anew, so that one that was not loaded is asked for again. */
  onRetry: () => void;
  children: ReactNode;
}

/** What a page throws while it is shown is told in its place. */
export class Boundary extends Component<Props, { fault: unknown }> {
  override state = { fault: undefined };

  static getDerivedStateFromError(fault: unknown): { fault: unknown } {
    return { fault };
  }

  private readonly retry = (): void => {
    this.props.onRetry();
    this.setState({ fault: undefined });
  };

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    const isNotLoaded = (fault as unknown) instanceof NotLoaded;
    return (
      <div className="notice error" role="alert">
        <Icon name="warning" />
        <div>
          <strong>
            {isNotLoaded ? 'This page could not be loaded' : 'This page met a fault of its own'}
          </strong>
          <p>{isNotLoaded ? 'The service does not answer, or it was upgraded.' : 'Nothing is lost.'}</p>
          <div className="retries">
            {isNotLoaded && (
              <button type="button" onClick={this.retry}>
                Try again
              </button>
            )}
            <button type="button" onClick={() => window.location.reload()}>
              Reload the console
            </button>
          </div>
        </div>
      </div>
    );
  }
}
