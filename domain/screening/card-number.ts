/** Whether digits end with the right check digit: Luhn, ISO/IEC 7812-1, annex B. */
const isLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const counted = i % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
};

/** Returns the end of the digits if they are a card's number; undefined otherwise. */
export const endOfCard = (text: string, start: number, end: number): number | undefined =>
  isLuhn(text.slice(start, end).replace(/\D/g, '')) ? end : undefined;
