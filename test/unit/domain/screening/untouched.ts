/** Texts that look like secrets to a careless rule, and are none. */
export const UNTOUCHED: readonly string[] = [
  // Sentences, of keys and cards too.
  'My password is in the safe, next to the passport; the key to the garage hangs behind the door.',
  'She asked for a token of appreciation: a card with 4 hearts and 16 kisses.',
  'Your PEM file has to begin with -----BEGIN RSA PRIVATE KEY----- and then the lines of base64 that the tool prints for you follow.',
  'I bought 4111 stamps in 1111 shops between 1998 and 2006, and paid 5555 for them.',
  'The secret: do less. Password: the usual one. Token: none.',
  'Die IBAN steht auf der Karte; DE ist das Land, 89 die Prüfziffer.',
  'Ask sk-learn-about-model-selection-and-evaluation for it, or the task-list-of-the-month-of-november.',
  'bearer of good news since 1998, authorization by the board',
  'ご予約番号は1234567890123456です。',
  // Numbers.
  'order 4111111111111112, invoice 2024-000123-7781, RMA 5105105105105101',
  '+1 (415) 555-2671, +49 30 901820, 0049 151 1234 5678, 555-0199, +4111111111111111',
  'ISBN 978-3-16-148410-0, EAN 4006381333931, IMEI 356938035643809, tracking 1Z999AA10123456784 and 9400111899223197428490',
  '2026-11-30T02:07:27.123Z, 1764468447123, 1764468447.4111111111111111, 0x41111111',
  'coordinates 52.5200066, 13.404954; version 4.111.111.1111; 10.0.0.1:5432; 192.168.100.200',
  'snowflakes 1180000000000000000 and 910203040506070809',
  // Ids and hashes.
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301, 41111111-1111-4111-8111-111111111111',
  'd41d8cd98f00b204e9800998ecf8427e da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'sha512-AKIAr1MQnn8Tqn0sTnjq3Ck0Qjz3J5l0qvQJ5d0J3s8m1Z0x4h5y6w7e8r9t0y1u2i3o4p5a6s7d8f9g0h==',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dsAxt9YQL ada@host',
  'trn_6db74e8b13c9ebc98e44dde372aa24c1 job_6db74e8b13c9ebc98e44dde372aa24c1 obs_01c1867ad1376fca818c9058dcbb892e',
  'ent_e6cb0ab77cb1f4e2c0a1e2a5 ts_6db74e8b13c9ebc9 rcl_6db74e8b13c9ebc98e44dde372aa24c1 pk_live_51H8x9yKz2eZvKYlo2C',
  'key_id 87e5481bef1a69c9, cus_NffrFeUfNV2Hib, pi_3MtwBwLkdIwHu7ix28a3tqPa, price_1MoBy5LkdIwHu7ixZhnattbh',
  // Addresses.
  'https://example.com:8080/a/b?user=ada&at=5@x http://localhost:3000/@scope/pkg mailto:ada@example.com',
  'git@github.com:acme/repo.git ssh://git@github.com/acme/repo https://medium.com/@ada/4111111111111111',
  'https://shop.example/orders/4111111111111111/items postgres://app@db.internal/main https://ada@example.com',
  'postgres://app:$PASSWORD@db postgres://app:${DB_PASSWORD}@db postgres://app:****@db redis://:{{ password }}@db amqp://u:<password>@h',
  // Code.
  'const password = await prompt("Password"); if (token === undefined) throw new Error("no token: 401");',
  'type Login = { user: string; password: string; token?: string | null };',
  'password: z.string().min(8), secret: process.env.SECRET, apiKey: config.get("api_key_2")',
  'PASSWORD=$OTHER TOKEN=${CI_TOKEN_1} SECRET=<your-secret-1> API_KEY={{ api_key_1 }}',
  'labels: { password: "Password", token: "Token", secret: "Secret phrase 2 of 3" }',
  'for (let i = 0; i < 16; i++) { key += alphabet[i % 62]; } // AKIA... and ghp_... and sk-... are prefixes',
  '.sk-folding-cube { width: 40px } .sk-admin-panel-settings-form-container { color: #411111 }',
  'SELECT token, count(*) FROM tokens WHERE password_hash = $1 GROUP BY 1',
  'eyJhbGciOiJIUzI1NiJ9 alone is a header, and header.payload.signature are three words.',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----',
  // A placeholder, and labels.
  '(secret: card-number) and (secret: jwt), not [secret: jwt]',
];
