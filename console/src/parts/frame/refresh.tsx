/** Reloads the data. While loading it keeps the focus, which a disabled button would lose. */
export const Refresh = ({
  what,
  loading,
  onClick,
}: {
  /** Name of the refreshed data, for screen readers. */
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
