/** `.ci/nightly` runs more rounds of what each run shows: more moments of it, no other behaviour. */
export const isLong = process.env.TURNSTONE_TEST_LONG === '1';

export const rounds = (usual: number, long: number): number => (isLong ? long : usual);
