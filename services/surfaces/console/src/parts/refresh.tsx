/** Reloads the data. While loading it keeps the focus, which a disabled button would lose. */
export const Refresh = ({
  what,
  loading,
  onClick,
}: {
  /** What is refreshed, for screen readers. */
  what: string;
  loading: boolean;
  onClick: () => void;
}) => (
  <button
    type="button"
    className="small"
    aria-label={`Refresh ${what}`}
    aria-disabled={loading}
    onClick={() => !loading && onClick()}
  >
    Refresh
  </button>
);
