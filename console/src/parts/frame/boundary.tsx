import { Component, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';

/** Thrown when a page's file could not be loaded. */
export class NotLoaded extends Error {}

interface Props {
  /** Recreates the pages, so that one that failed to load is requested again. */
  onRetry: () => void;
  children: ReactNode;
}

/** Shows an error in place of a page that throws while rendering. */
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
            {isNotLoaded ? 'This page could not be loaded' : 'Something went wrong on this page'}
          </strong>
          <p>{isNotLoaded ? 'The service is not responding, or it was upgraded.' : 'No data was lost.'}</p>
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
