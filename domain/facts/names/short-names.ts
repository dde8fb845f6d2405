/**
 * Short forms of given names: each entry has the short form, then its full names, in lower case. Common in
 * English, with some from German, Spanish, Italian, Polish and Russian.
 */
const TABLE = `
abby: abigail | abbie: abigail | abe: abraham | addie: adelaide adeline | al: albert alan alfred alexander | alec: alexander | alex: alexander alexandra alexis alejandro alejandra alexei
alf: alfred | alfie: alfred | ali: alison alice | ally: alison alexandra | andy: andrew andreas anderson | angie: angela angelina | annie: ann anne anna | archie: archibald | art: arthur
babs: barbara | barb: barbara | bart: bartholomew | bea: beatrice beatrix | beth: elizabeth bethany | betsy: elizabeth | betty: elizabeth | becca: rebecca | becky: rebecca | ben: benjamin benedict | benny: benjamin | bernie: bernard bernadette
bert: albert herbert robert bertram | bertie: albert herbert robert bertram | bill: william | billy: william | bob: robert | bobby: robert | brad: bradley bradford | cal: calvin callum caleb | cam: cameron camilla | carrie: caroline carolyn
cass: cassandra | cassie: cassandra | cathy: catherine kathleen | charlie: charles charlotte | chris: christopher christina christine christian christoph | chrissy: christina christine | chuck: charles | cindy: cynthia lucinda | clem: clement clementine
connie: constance | dan: daniel danielle | danny: daniel | dani: danielle daniela | dave: david | davy: david | deb: deborah debra | debbie: deborah debra | dee: deirdre | dick: richard | dom: dominic dominique | don: donald | donnie: donald
dot: dorothy | dottie: dorothy | doug: douglas | drew: andrew | ed: edward edwin edmund edgar eduardo | eddie: edward edwin edmund edgar | ted: edward theodore | teddy: edward theodore | ellie: eleanor ellen elizabeth | eli: elijah elias | eliza: elizabeth
em: emily emma | ernie: ernest | ev: evan evelyn everett | fran: frances francis francesca | frankie: frank francis frances | fred: frederick alfred | freddie: frederick alfred | freddy: frederick alfred | gabe: gabriel | gabby: gabriella gabrielle gabriela
geoff: geoffrey | gerry: gerald gerard geraldine | gina: georgina regina | ginny: virginia | greg: gregory gregor | gus: augustus angus gustav | gwen: gwendolyn | hal: harold henry | hank: henry | harry: harold henry harrison | hattie: harriet
herb: herbert | howie: howard | ike: isaac | izzy: isabel isabella isobel | jack: john jackson | jackie: jacqueline | jake: jacob | jamie: james | jan: janet janice | jeff: jeffrey | jen: jennifer | jenn: jennifer | jenny: jennifer | jerry: gerald jerome jeremiah
jess: jessica | jessie: jessica | jim: james | jimmy: james | joe: joseph | joey: joseph | johnny: john | jon: jonathan | josh: joshua | josie: josephine | judy: judith | jules: julia julian juliet | kat: katherine katrina kathleen | kate: katherine catherine kathryn
kathy: katherine kathleen kathryn | katie: katherine catherine kathryn | ken: kenneth | kenny: kenneth | kim: kimberly | kit: christopher katherine | larry: lawrence laurence | len: leonard | lenny: leonard | leo: leonard leonardo leopold | lexi: alexandra alexis
lew: lewis | libby: elizabeth | liz: elizabeth | lizzie: elizabeth | lizzy: elizabeth | lottie: charlotte | lou: louis louise louisa | lucy: lucille lucinda | luke: lucas | maddie: madeline madeleine madison | maggie: margaret | mags: margaret | mandy: amanda
marge: margaret marjorie | margie: margaret marjorie | marty: martin | mat: matthew mathias | matt: matthew matthias | matty: matthew | max: maxwell maximilian maxine maxim | meg: margaret megan | mel: melanie melissa melvin melinda | mick: michael | mickey: michael
mike: michael | mikey: michael | millie: mildred millicent camilla emilia | milly: mildred millicent camilla emilia | mindy: melinda | minnie: wilhelmina | mitch: mitchell | mo: mohammed mohamed muhammad maureen | molly: mary margaret | nancy: ann | nat: nathan nathaniel natalie natasha
nate: nathan nathaniel | ned: edward edmund | nell: eleanor helen | nellie: eleanor helen | nick: nicholas nicolas nicola | nicky: nicholas nicola nicole | nikki: nicole nicola | ollie: oliver olivia | pam: pamela | pat: patrick patricia | patty: patricia | peggy: margaret
penny: penelope | pete: peter | phil: philip phillip | pip: philip philippa | polly: mary | rafe: raphael | ray: raymond | reg: reginald | rich: richard | rick: richard frederick | ricky: richard | rob: robert robin | robbie: robert | rod: rodney roderick | ron: ronald
ronnie: ronald veronica | rosie: rose rosemary rosalind | roz: rosalind | russ: russell | sal: salvatore sally | sam: samuel samantha | sammy: samuel samantha | sandy: alexander alexandra sandra | seb: sebastian | shelly: michelle | sid: sidney | stan: stanley | steph: stephanie
steve: stephen steven | stevie: stephen steven | stu: stuart stewart | sue: susan susanna suzanne | susie: susan susanna suzanne | suzy: susan susanna suzanne | tess: theresa teresa | terry: terence theresa teresa | theo: theodore | tilly: matilda | tim: timothy
timmy: timothy | toby: tobias | tom: thomas | tommy: thomas | toni: antonia | tony: anthony antony antonio anton | tori: victoria | tricia: patricia | trish: patricia | trudy: gertrude | val: valerie valentina | vic: victor victoria | vicky: victoria | vik: vikram viktor | vinny: vincent | viv: vivian vivienne
wally: walter wallace | walt: walter | wes: wesley | wil: william wilfred | will: william | wilf: wilfred | willie: william | zach: zachary zachariah | zack: zachary zachariah
hans: johannes | jochen: joachim | uli: ulrich ulrike | toni: antonia antonio | sepp: josef | basti: sebastian | flo: florian florence | kathi: katharina | steffi: stefanie stephanie | susi: susanne | gabi: gabriele gabriela | paco: francisco | pancho: francisco | pepe: jose | nacho: ignacio | lola: dolores
quique: enrique | memo: guillermo | beto: alberto roberto | gigi: luigi | beppe: giuseppe | pino: giuseppe | nico: nicolas nicola niccolo | gosia: malgorzata | kasia: katarzyna | asia: joanna | wojtek: wojciech | tomek: tomasz | sasha: alexander alexandra aleksandr aleksandra | misha: mikhail | kolya: nikolai | vanya: ivan | katya: ekaterina | dima: dmitri dmitry | vova: vladimir`;

/** The full names, by short form. */
export const SHORT_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.split(/[|\n]/).flatMap((entry): [string, string[]][] => {
    const [short = '', full = ''] = entry.split(':');
    const names = full
      .trim()
      .split(' ')
      .filter(name => name !== '');
    return names.length === 0 ? [] : [[short.trim(), names]];
  }),
);
