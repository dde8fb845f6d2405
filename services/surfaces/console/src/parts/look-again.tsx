/** Asks anew. While it does, it says so and keeps the focus, which a disabled button would lose. */
export const LookAgain = ({
  at,
  loading,
  onClick,
}: {
  /** What is looked at, for whoever hears the button alone. */
  at: string;
  loading: boolean;
  onClick: () => void;
}) => (
  <button
    type="button"
    className="small"
    aria-label={`Look again at ${at}`}
    aria-disabled={loading}
    onClick={() => !loading && onClick()}
  >
    Look again
  </button>
);
