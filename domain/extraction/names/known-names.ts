import { FURTHER_PLACES } from './further-places.ts';
import { NAMES_BY_LANGUAGE } from './names-by-language.ts';

/**
 * Names whose kind capitals alone don't reveal: given names (the most frequent ones of the United States,
 * Britain and, in Latin spelling, of the larger languages), well-known places and organisations. Lower case,
 * separated by commas. The lists only decide the kind and break ties at the start of a sentence; an unlisted
 * name is still found in the middle of one.
 */
const words = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[,\n]/)
      .map(name => name.trim())
      .filter(name => name !== ''),
  );

export const GIVEN_NAMES = words(`${NAMES_BY_LANGUAGE}
aaron,abdul,abigail,adam,adrian,ahmed,aiden,aisha,akira,alan,albert,alejandro,alex,alexa,alexander,alexandra,alexis,alfred,ali,alice,alicia,alina,
alison,allison,alyssa,amanda,amber,amelia,amina,amir,amit,amy,ana,anastasia,andre,andrea,andreas,andrew,andy,angela,angelina,anita,anjali,ann,anna,anne,
annie,anthony,antonio,anya,aria,ariana,arjun,arthur,ashley,aubrey,audrey,austin,ava,barbara,beatrice,becky,ben,benjamin,bernard,beth,betty,beverly,bill,billy,
bob,bobby,boris,brad,bradley,brandon,brenda,brian,brianna,brittany,bruce,bryan,caleb,cameron,camila,carl,carla,carlos,carmen,carol,caroline,carolyn,carrie,
catherine,cathy,cecilia,chad,charles,charlie,charlotte,chen,cheryl,chloe,chris,christian,christina,christine,christopher,cindy,claire,clara,claudia,cody,colin,
connor,craig,cristina,crystal,curtis,cynthia,daisy,dale,dan,dana,daniel,daniela,danielle,danny,darren,dave,david,deborah,debra,deepak,denise,dennis,derek,diana,
diane,diego,dmitri,dmitry,dominic,don,donald,donna,doris,dorothy,doug,douglas,dylan,eddie,edgar,edward,edwin,elaine,eleanor,elena,eli,elias,elijah,elizabeth,ella,
ellen,ellie,elsa,emily,emma,eric,erica,erik,erin,ethan,eugene,eva,evan,evelyn,fatima,felix,fernando,fiona,florence,frances,francesca,francis,francisco,frank,fred,
gabriel,gabriela,gary,gavin,george,gerald,giovanni,giulia,gloria,gordon,grace,greg,gregory,greta,hannah,hans,harold,harry,hassan,hazel,heather,hector,heidi,helen,
henry,hiroshi,holly,howard,hugo,ian,ibrahim,igor,ines,ingrid,irene,irina,isaac,isabel,isabella,ivan,jack,jackie,jackson,jacob,jacqueline,jake,james,jamie,jan,jane,
janet,janice,jasmine,jason,javier,jay,jean,jeff,jeffrey,jen,jenna,jennifer,jenny,jeremy,jerry,jesse,jessica,jill,jim,jimmy,joan,joanna,joe,joel,johannes,john,johnny,jon,
jonas,jonathan,jordan,jorge,jose,joseph,josh,joshua,juan,juanita,judith,judy,julia,julian,julie,justin,karen,karim,karl,kate,katherine,kathleen,kathryn,kathy,katie,
kayla,keith,kelly,ken,kenji,kenneth,kevin,khalid,kim,kimberly,klaus,kristen,kristina,kumar,kyle,lars,larry,laura,lauren,lea,leah,leila,lena,leo,leon,leonardo,leslie,
lewis,li,liam,lily,linda,lisa,liz,logan,lois,lola,lori,louis,louise,lucas,lucia,lucy,luis,luka,lukas,luke,luna,lydia,lynn,madeline,madison,maggie,manuel,marc,marcel,
marco,marcus,margaret,maria,mariam,marie,marilyn,mario,marion,marissa,mark,marko,marta,martha,martin,marvin,mary,mateo,matt,matthew,maurice,max,maya,megan,mei,
melanie,melissa,mia,michael,michelle,miguel,mike,mila,mina,miriam,mohamed,mohammed,molly,monica,morgan,muhammad,nadia,nancy,naomi,natalia,natalie,natasha,nathan,
nicholas,nick,nicola,nicolas,nicole,nikhil,nina,noah,noor,nora,norman,olga,oliver,olivia,omar,oscar,otto,owen,pablo,paige,pamela,patricia,patrick,paul,paula,paulo,
pavel,pedro,peggy,penelope,peter,petra,phil,philip,phillip,phyllis,pierre,pilar,pooja,priya,rachel,rafael,rahul,ralph,ramon,randy,raymond,rebecca,regina,renee,ricardo,
richard,rick,rita,rob,robert,roberto,robin,rodney,roger,roland,roman,ron,ronald,rosa,rosie,ross,roy,russell,ruth,ryan,sabrina,sally,sam,samantha,samir,samuel,sandra,
sandy,sanjay,sara,sarah,scott,sean,sebastian,sergei,sergio,seth,shane,shannon,sharon,sheila,shirley,simon,sofia,sonia,sophia,sophie,stacy,stefan,stella,stephanie,
stephen,steve,steven,stuart,sue,susan,suzanne,svetlana,sven,sylvia,takeshi,tamara,tanya,tara,ted,teresa,terry,theo,theodore,theresa,thomas,tiffany,tim,timothy,tina,todd,
tom,tomas,tommy,toni,tony,tracy,travis,trevor,tyler,ursula,valentina,valerie,vanessa,vera,veronica,victor,victoria,vijay,vincent,viola,virginia,vivian,vladimir,walter,
wanda,wayne,wei,wendy,wesley,will,william,willie,wolfgang,xavier,yan,yasmin,yolanda,yuki,yuri,yusuf,yvonne,zach,zachary,zoe,abby,angie,barb,bert,bri,cal,cam,cass,chuck,deb,dave,ed,fran,gabe,gene,gus,hank,jo,joey,josie,kat,kev,lou,mandy,mel,mindy,nate,ned,nell,nat,pat,pete,pam,ray,reg,
sal,shelly,sid,stan,stu,tess,trish,val,vic,viv,walt,zack`);

export const PLACES = words(`${FURTHER_PLACES}
afghanistan,albania,algeria,argentina,armenia,australia,austria,azerbaijan,bangladesh,belarus,belgium,bolivia,bosnia,botswana,brazil,bulgaria,cambodia,cameroon,canada,chile,
china,colombia,congo,costa rica,croatia,cuba,cyprus,czech republic,czechia,denmark,dominican republic,ecuador,egypt,el salvador,england,estonia,ethiopia,fiji,finland,france,
germany,ghana,greece,guatemala,haiti,honduras,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,jamaica,japan,kazakhstan,kenya,kuwait,laos,latvia,
lebanon,libya,lithuania,luxembourg,madagascar,malaysia,maldives,mali,malta,mauritius,mexico,moldova,mongolia,montenegro,morocco,mozambique,myanmar,namibia,nepal,
netherlands,new zealand,nicaragua,niger,nigeria,north korea,norway,oman,pakistan,palestine,panama,paraguay,peru,philippines,poland,portugal,puerto rico,qatar,romania,russia,
rwanda,saudi arabia,scotland,senegal,serbia,singapore,slovakia,slovenia,somalia,south africa,south korea,spain,sri lanka,sudan,sweden,switzerland,syria,taiwan,tanzania,thailand,
tunisia,turkey,uganda,ukraine,united arab emirates,uae,united kingdom,united states,usa,u.s.a,uruguay,uzbekistan,venezuela,vietnam,wales,yemen,zambia,zimbabwe,
africa,asia,europe,north america,south america,latin america,antarctica,middle east,caribbean,mediterranean,scandinavia,
alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,illinois,indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,
michigan,minnesota,mississippi,missouri,montana,nebraska,nevada,new hampshire,new jersey,new mexico,new york,north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania,
rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,west virginia,wisconsin,wyoming,alberta,british columbia,manitoba,nova scotia,ontario,quebec,
saskatchewan,bavaria,catalonia,tuscany,provence,normandy,sicily,bali,queensland,tasmania,
abu dhabi,accra,addis ababa,adelaide,amsterdam,ankara,antwerp,athens,atlanta,auckland,austin,baghdad,baltimore,bangalore,bangkok,barcelona,basel,beijing,beirut,belfast,belgrade,
bergen,berlin,bern,bogota,bologna,bordeaux,boston,boulder,bratislava,brisbane,bristol,brooklyn,brussels,bucharest,budapest,buenos aires,cairo,calgary,cambridge,cape town,caracas,
casablanca,charlotte,chennai,chicago,cincinnati,cleveland,cologne,copenhagen,dallas,delhi,denver,detroit,dhaka,dresden,dubai,dublin,edinburgh,edmonton,florence,frankfurt,geneva,
genoa,glasgow,gothenburg,granada,hamburg,hanoi,havana,helsinki,ho chi minh city,hong kong,honolulu,houston,indianapolis,istanbul,jakarta,jerusalem,johannesburg,karachi,
kathmandu,kiev,kyiv,krakow,kuala lumpur,kyoto,lagos,lahore,las vegas,leeds,leipzig,lima,lisbon,liverpool,ljubljana,london,los angeles,lyon,madrid,malaga,manchester,manhattan,
manila,marrakech,marseille,melbourne,memphis,mexico city,miami,milan,milwaukee,minneapolis,minsk,montevideo,montreal,moscow,mumbai,munich,nairobi,naples,nashville,new delhi,
new orleans,newcastle,oakland,orlando,osaka,oslo,ottawa,oxford,palo alto,paris,perth,philadelphia,phoenix,pittsburgh,porto,portland,prague,quito,reykjavik,riga,rio de janeiro,
rome,rotterdam,sacramento,salt lake city,salzburg,san antonio,san diego,san francisco,san jose,santa fe,santiago,sao paulo,sapporo,sarajevo,seattle,seoul,seville,shanghai,shenzhen,
sofia,stockholm,stuttgart,sydney,taipei,tallinn,tampa,tbilisi,tehran,tel aviv,tijuana,tokyo,toronto,toulouse,turin,valencia,vancouver,venice,verona,vienna,vilnius,warsaw,
washington,wellington,winnipeg,zagreb,zurich,alps,andes,himalayas,rockies,sahara,amazon rainforest,silicon valley,hollywood,nyc,eiffel tower,grand canyon,times square,
central park,yellowstone,yosemite,mount everest,niagara falls`);

export const ORGANIZATIONS = words(`
adidas,adobe,airbnb,airbus,alibaba,amazon,amd,anthropic,apple,audi,bbc,bmw,boeing,bosch,canon,cern,cisco,cnn,coca-cola,congress,costco,dell,deloitte,disney,dropbox,ebay,
ericsson,espn,etsy,european union,eu,facebook,fbi,fedex,ferrari,fifa,ford,google,greenpeace,harvard,hbo,honda,hp,hsbc,hyundai,ibm,ikea,intel,jp morgan,kfc,lego,lenovo,lg,
linkedin,lufthansa,marvel,mastercard,mcdonalds,mercedes,meta,microsoft,mit,mozilla,nasa,nato,nba,nestle,netflix,nfl,nhl,nhs,nike,nintendo,nissan,nokia,nvidia,openai,oracle,oxfam,
panasonic,paypal,pepsi,pfizer,philips,pixar,porsche,puma,red cross,reddit,reebok,renault,rolex,salesforce,samsung,sap,siemens,sony,spacex,spotify,stanford,starbucks,subaru,target,
tesla,tiktok,toyota,twitter,uber,ubisoft,unesco,unicef,united nations,un,ups,valve,verizon,visa,volkswagen,volvo,walmart,wikipedia,world health organization,yale,yahoo,
youtube,zara,zoom,instagram,whatsapp,discord,slack,github,gitlab,bloomberg,new york times,real madrid,fc barcelona,manchester united,peta,ymca,wwf,nbc,abc,cbs,mcdonald's,
tesco,sainsbury's,sainsburys,aldi,lidl,waitrose,asda,morrisons,greggs,primark,argos,barclays,monzo,natwest,lloyds,revolut,dhl,evri,royal mail,usps,ryanair,easyjet,
british airways,klm,air france,wizz air,hetzner,stripe,figma,jira,trello,asana,canva,shopify,atlassian,docusign,zendesk,hubspot,cloudflare,bitbucket,
kia,skoda,peugeot,fiat,mazda,suzuki,citroen,dacia,opel,vauxhall,jeep,chevrolet,lexus,mitsubishi,sainsbury,john lewis,marks and spencer,costa coffee,trader joe's,whole foods,
home depot,best buy,cvs,walgreens,wells fargo,bank of america,chase bank,american express,airtable,snapchat,pinterest,deliveroo,doordash,just eat,ocado,zalando,asos,h&m,uniqlo,decathlon,rewe,edeka,carrefour,
mercadona,deutsche bahn,sncf,amtrak,eurostar,accenture,kpmg,pwc,mckinsey,juilliard,caltech,princeton university`);

export const PRODUCTS = words(`
airpods,alexa,android,chatgpt,chromebook,docker,excel,galaxy,gmail,gameboy,game boy,google maps,google docs,gopro,imac,ios,ipad,iphone,ipod,kindle,kubernetes,linux,macbook,
minecraft,nintendo switch,nutella,photoshop,playstation,postgres,postgresql,powerpoint,python,javascript,typescript,raspberry pi,roomba,sqlite,switch,tetris,ubuntu,windows,word,
xbox,fortnite,pokemon,node.js,react,elasticsearch,kafka,redis,mysql,firefox,chrome,safari,roblox,visual studio code,vs code,toyota corolla,toyota prius,honda civic,ford mustang,ps4,ps5`);

/** Places that are also English words: in lower case, and at the start of a sentence, they don't count. */
export const ALSO_WORDS = words(`
bath,reading,nice,split,hull,cork,mobile,bury,rugby,tours,providence,orange,queens,riverside,whistler,buffalo,flagstaff,aurora,derby,concord,
reunion,como,essen,halle,brest,poole,surat,mesa,salem,boulder,manila,cologne,turkey,china,chile,jersey,java,chad,mali,lima,phoenix,wellington,
angers,cannes,hove,worthing,woking,hackney,margate,paisley,stirling,durham,goa,fez,nancy,florence,charlotte,austin,milan,sofia,victoria,petra,
madison,jackson,virginia,georgia,brittany,lorraine,trinidad,sabah,columbia,pacific,arctic,antarctic,atlantic,manly,nelson,windsor,hamilton,
lancaster,salisbury,winchester,kingston,warwick,washington,lincoln,marin,napier,cali,modena,metz,hanover,piedmont,savoy,pisa,rhodes,petra,
leon,aden,giza,hebron,medina,mecca,cordoba,wall street,long beach,little rock,green bay,great wall,gold coast,east coast,west coast,
south island,north island,red sea,dead sea,black sea,grand rapids,hyde park,upper east side,stone town,newport,newtown,stratford,hollywood,
dominican republic,czech republic,the hague`);

/** Words that are capitalised in English, but are not names that a question would ask for. */
export const NOT_NAMES = words(`
i,ok,okay,tv,dvd,cd,pc,diy,btw,lol,omg,wtf,imo,imho,fyi,asap,aka,am,pm,ceo,cto,cfo,hr,id,faq,url,http,https,html,css,json,xml,sql,api,pdf,usb,gps,phd,mba,ba,ma,ad,bc,bce,
mom,mum,dad,mommy,daddy,mama,papa,grandma,grandpa,granny,grandmother,grandfather,auntie,aunt,uncle,sis,bro,god,lord,jesus,sir,madam,mr,mrs,ms,miss,dr,prof,captain,doc,
january,february,march,april,may,june,july,august,september,october,november,december,jan,feb,mar,apr,jun,jul,aug,sep,sept,oct,nov,dec,
monday,tuesday,wednesday,thursday,friday,saturday,sunday,mon,tue,tues,wed,weds,thu,thurs,fri,sat,sun,bon,voyage,appetit,spring,summer,autumn,winter,
english,french,german,spanish,italian,portuguese,dutch,russian,polish,czech,greek,turkish,arabic,hebrew,hindi,chinese,japanese,korean,thai,vietnamese,swedish,norwegian,danish,finnish,
american,british,irish,scottish,welsh,canadian,mexican,brazilian,australian,indian,african,asian,european,latin,swiss,austrian,hungarian,romanian,ukrainian,persian,mandarin,cantonese,
christian,catholic,muslim,jewish,buddhist,hindu,internet,covid,covid-19,xmas,ai,it,hi,hey,hello,wow,yes,no,not,never,always,and,but,so,or,if,the,a,an,u,ur,haha,hahaha,yeah,thanks,bye,cheers,
congrats,wanna,gonna,gotta,gotcha,woah,whoa,yup,yep,nope,mm,mmm,hm,hmm,ugh,idk,tbh,imho,lmao,rofl,mondays,tuesdays,wednesdays,thursdays,fridays,saturdays,sundays,easter,christmas,halloween,thanksgiving,ramadan,diwali,hanukkah,eid,lent,
new year,new years,new years eve,merry,standup,retro,coach,aries,taurus,gemini,virgo,libra,scorpio,sagittarius,capricorn,aquarius,pisces,ci,cd,gdpr,sdk,todo,
dj,mc,mot,gp,gps,mri,ct,iv,ivf,adhd,ocd,ptsd,hiv,dna,rna,lgbt,lgbtq,vip,rsvp,eta,eod,eob,kpi,kpis,okr,okrs,pr,prs,qa,ui,ux,cpu,gpu,ram,ssd,vpn,dns,sso,csv,ide,cli,
sla,slas,mvp,poc,crm,erp,roi,nda,pto,wfh,ooo,bbq,ac,suv,suvs,rv,tvs,atm,pin,vat,gcse,gcses,sms,sim,led,lcd,iq,eq,ssn,iban,
nan,nana,gran,gramps,nanna,daddy,mam,mums,dads,bonjour,bonsoir,salut,hola,ciao,hallo,hej,moin,servus,aloha,namaste,shalom,salaam,
everything,something,nothing,anything,q,x,y,z,n,v,vs,ps,re,all,everyone,everybody,someone,guys,dude,buddy,team,folks,honey,babe,sweetie`);
