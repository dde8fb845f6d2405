/** Whether a client accepts an answer in gzip: by its name or by `*`, with a weight above 0 (RFC 9110). */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map((coding): [string, number] => {
      const [name = '', ...parameters] = coding.toLowerCase().split(';');
      const weight = parameters.find(one => /^\s*q\s*=/.test(one));
      return [name.trim(), weight === undefined ? 1 : Number(weight.split('=')[1])];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
};
