/** Sentences about the speaker and one other: "Mateo and I are back together". */

const COUPLE =
  /(?:^|[,;:] |\b(?:and|but|so|since) )(\p{Lu}\p{L}+) and (?:I|me) (?:(?:have|just|finally|officially|are|were|['’]re) )*(?<what>(?:back |still )?together|(?:got )?(?:engaged|married)|getting (?:married|divorced)|broke(?:n)? up|split(?: up)?|separated|divorced|(?:aren['’]t|not|no longer) (?:together|a couple|friends|speaking)(?: any ?more)?)(?=$|[,.;!]| (?:again|now|in|on|last|this|since|for|but|and|two|a)\b)(?<when>(?: (?:in|on|last|this|since) [^,.;]{2,20})?)/u;

/** Returns how things stand between the two. */
export function coupleIn(text: string): string[] {
  const match = / and (?:I|me) /.test(text) ? COUPLE.exec(text) : null;
  if (match === null) return [];
  const name = match[1]!;
  const { what, when } = match.groups!;
  if (/friends|speaking/.test(what!)) return [`My friend ${name} is no longer my friend`];
  if (/^(?:back |still )?together$/.test(what!)) return [`I'm in a relationship with ${name}`];
  if (/^(?:got )?(?:engaged|married)$/.test(what!)) return [`I'm ${what!.replace('got ', '')} to ${name}`];
  if (/^getting/.test(what!)) return [];
  return [`I broke up with ${name}${when ?? ''}`];
}
