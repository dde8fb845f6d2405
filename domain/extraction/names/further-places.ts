/**
 * Towns, cities, islands and regions beyond the best-known ones (known-names.ts), grouped by region, in Latin
 * letters, lower case, separated by commas. Those that are also English words are in `ALSO_WORDS`
 * (known-names.ts).
 */
export const FURTHER_PLACES = `
aberdeen,aberystwyth,ayr,bangor,barnsley,basingstoke,bath,birkenhead,birmingham,blackburn,blackpool,bolton,bournemouth,bradford,brighton,bromley,burnley,bury
camden,canterbury,cardiff,carlisle,chelmsford,cheltenham,chesterfield,chichester,colchester,cork,cornwall,coventry,crewe,croydon,cumbria,darlington,derby
derry,devon,doncaster,dorset,drogheda,dudley,dumfries,dundalk,dundee,durham,ealing,eastbourne,essex,exeter,falkirk,falmouth,galway,gateshead,gloucester
greenwich,grimsby,guildford,hackney,halifax,harlow,harrogate,hartlepool,hastings,hereford,hove,huddersfield,hull,inverness,ipswich,islington,kettering
kilkenny,kilmarnock,lambeth,lancashire,lancaster,leamington,leicester,leith,lewes,lewisham,limerick,llandudno,loughborough,luton,maidstone,margate
middlesbrough,milton keynes,newport,norfolk,northampton,northumberland,norwich,nottingham,oban,oldham,orkney,oxfordshire,paisley,peckham,penzance
peterborough,plymouth,poole,portsmouth,ramsgate,reading,rotherham,rugby,salford,salisbury,scarborough,sheffield,shetland,shoreditch,shrewsbury,skye,sligo
solihull,somerset,southampton,southend,southwark,st albans,st andrews,st ives,stevenage,stirling,stockport,stoke-on-trent,stratford,suffolk,sunderland,surrey
sussex,swansea,swindon,taunton,telford,tipperary,torquay,tottenham,truro,wakefield,walsall,warrington,warwick,waterford,watford,wexford,whitby,wigan
wiltshire,wimbledon,winchester,woking,wolverhampton,worcester,worthing,wrexham,york,yorkshire,britain,great britain,uk,northern ireland,hebrides
isle of wight,isle of man,guernsey,lake district,soho,notting hill
aachen,aarhus,aalborg,alsace,amersfoort,angers,annecy,arnhem,augsburg,avignon,baden-baden,bamberg,bayreuth,bergamo,besancon,biarritz,bielefeld,bochum,bonn
braunschweig,breda,bremen,brescia,brest,brittany,bruges,burgundy,caen,calais,cannes,catania,chamonix,chemnitz,clermont-ferrand,como,corsica,darmstadt,delft
dijon,dortmund,duisburg,dusseldorf,eindhoven,erfurt,erlangen,espoo,essen,esbjerg,faroes,faroe islands,ferrara,flanders,freiburg,friesland,ghent,giessen
gottingen,graz,greifswald,grenoble,groningen,haarlem,halle,hanover,hannover,heidelberg,heilbronn,ingolstadt,innsbruck,jena,jutland,jyvaskyla,kaiserslautern
karlsruhe,kassel,kiel,klagenfurt,koblenz,konstanz,la rochelle,lapland,lausanne,lecce,leiden,leuven,liege,lille,limoges,linkoping,linz,livorno,locarno
lombardy,lorraine,lubeck,lucca,lucerne,lugano,lund,maastricht,magdeburg,mainz,malmo,mannheim,mantua,marburg,metz,modena,monaco,montpellier,montreux,mulhouse
munster,namur,nancy,nantes,neuchatel,nijmegen,nimes,norrkoping,nuremberg,odense,oldenburg,orebro,orleans,oulu,padua,palermo,parma,pavia,perugia,pescara
piedmont,pisa,poitiers,potsdam,puglia,ravenna,regensburg,reims,rennes,rimini,rostock,rouen,saarbrucken,salerno,sardinia,savoy,saxony,siena,sint-niklaas
st gallen,stavanger,strasbourg,tampere,taranto,the hague,tilburg,toulon,tours,trento,treviso,trieste,tromso,trondheim,turku,umbria,uppsala,urbino,utrecht
vaasa,vasteras,veneto,versailles,vicenza,weimar,wiesbaden,winterthur,wolfsburg,wurzburg,zermatt,zwolle
a coruna,alentejo,algarve,alicante,almeria,andalusia,asturias,aveiro,azores,badajoz,basque country,bilbao,braga,burgos,cadiz,canary islands,cascais,coimbra
cordoba,evora,extremadura,formentera,fuerteventura,galicia,gijon,girona,gran canaria,guimaraes,huelva,ibiza,lanzarote,la palma,lleida,logrono,madeira
mallorca,majorca,menorca,murcia,oviedo,pamplona,salamanca,san sebastian,santander,santiago de compostela,segovia,setubal,sintra,tarragona,tenerife,toledo
valladolid,vigo,zaragoza
brno,burgas,bydgoszcz,chania,chisinau,cluj,cluj-napoca,constanta,corfu,crete,czestochowa,debrecen,dnipro,dubrovnik,gdansk,gdynia,heraklion,iasi,kalamata
karlovy vary,katowice,kaunas,kharkiv,klaipeda,kosice,kos,kosovo,kutaisi,lesbos,liberec,lodz,lublin,lviv,macedonia,north macedonia,maribor,mostar,murmansk
mykonos,novi sad,novosibirsk,nicosia,limassol,larnaca,odesa,odessa,olomouc,ostrava,parnu,patras,pecs,piran,plovdiv,plzen,podgorica,poznan,prishtina,pula
rhodes,rijeka,rovinj,saint petersburg,st petersburg,samara,santorini,sibiu,skopje,sopron,split,szczecin,szeged,tartu,tatras,thessaloniki,timisoara,tirana
torun,transylvania,varna,veliko tarnovo,volgograd,voronezh,wroclaw,yaroslavl,yekaterinburg,yerevan,baku,batumi,almaty,astana,bishkek,tashkent,samarkand
bukhara,dushanbe,ashgabat,siberia,crimea
adana,aden,agadir,aleppo,alexandria,algiers,amman,anatolia,antalya,aqaba,bahrain,basra,benghazi,bodrum,bursa,damascus,doha,eilat,erbil,essaouira,fez,gaza
giza,haifa,hebron,isfahan,izmir,jeddah,kabul,kandahar,konya,kuwait city,luxor,mashhad,mecca,medina,mosul,muscat,nablus,petra,rabat,ramallah,riyadh,sanaa
sharjah,shiraz,sousse,tabriz,tangier,trabzon,tripoli,tunis,ras al khaimah
abidjan,abuja,abeokuta,antananarivo,asmara,bamako,benin,benin city,blantyre,bloemfontein,brazzaville,bujumbura,bulawayo,burkina faso,burundi,cape verde
central african republic,chad,cotonou,dakar,dar es salaam,djibouti,dodoma,douala,durban,east london,enugu,entebbe,eritrea,eswatini,freetown,gabon,gaborone
gambia,harare,ibadan,ivory coast,kaduna,kampala,kano,kigali,kilimanjaro,kinshasa,kisumu,kumasi,lesotho,libreville,liberia,lilongwe,livingstone,lome,luanda
lusaka,malawi,malindi,maputo,maseru,mauritania,mombasa,monrovia,mwanza,nakuru,naivasha,niamey,ouagadougou,pemba,polokwane,port elizabeth,port harcourt
pretoria,reunion,serengeti,seychelles,sierra leone,soweto,stellenbosch,stone town,swaziland,tamale,togo,angola,victoria falls,windhoek,yaounde,zanzibar
agra,ahmedabad,allahabad,amritsar,assam,bengal,bengaluru,bhopal,bhutan,bhubaneswar,calcutta,chandigarh,chattogram,chittagong,cochin,coimbatore,colombo,coorg
darjeeling,dehradun,faisalabad,galle,gandhinagar,goa,gujarat,gurgaon,guwahati,hyderabad,indore,islamabad,jaffna,jaipur,jamshedpur,jodhpur,kandy,kanpur
kashmir,kerala,kochi,kolkata,ladakh,lucknow,ludhiana,madurai,maharashtra,mangalore,multan,mysore,mysuru,nagpur,nashik,noida,ooty,patna,peshawar,pokhara
pondicherry,pune,punjab,quetta,rajasthan,rajshahi,ranchi,rawalpindi,rishikesh,shimla,sikkim,srinagar,surat,sylhet,tamil nadu,thiruvananthapuram,trivandrum
udaipur,uttar pradesh,vadodara,varanasi,visakhapatnam
angkor,ayutthaya,bandung,bataan,batam,borneo,brunei,busan,cebu,chengdu,chiang mai,chiang rai,chongqing,da nang,daegu,daejeon,dalian,davao,denpasar,fukuoka
fukushima,gangnam,gifu,gold coast,guangdong,guangzhou,guilin,gwangju,hainan,haiphong,hakodate,hangzhou,harbin,hiroshima,hoi an,hokkaido,hsinchu,hue,iloilo
incheon,inner mongolia,ipoh,java,jeju,johor,johor bahru,kagoshima,kamakura,kanazawa,kaohsiung,kawasaki,kobe,koh samui,kota kinabalu,krabi,kumamoto,kunming
kyushu,langkawi,lanzhou,lhasa,lombok,luang prabang,luzon,macau,makassar,malacca,mandalay,matsuyama,medan,mindanao,nagano,nagasaki,nagoya,naha,nanjing,nara
nha trang,niigata,nikko,ningbo,okayama,okinawa,palawan,papua,penang,phnom penh,phuket,pyongyang,qingdao,quezon city,sabah,saigon,sarawak,sendai,shenyang
shikoku,shizuoka,sichuan,siem reap,sulawesi,sumatra,surabaya,suzhou,taichung,tainan,tianjin,tibet,timor,ubud,ulaanbaatar,ulsan,utsunomiya,vientiane,wuhan
xiamen,xian,xi'an,yangon,yogyakarta,yokohama,yunnan
abilene,akron,albany,albuquerque,amarillo,anaheim,anchorage,ann arbor,annapolis,appalachia,arlington,asheville,aspen,aurora,bakersfield,baton rouge,bellevue
bellingham,berkeley,boise,bozeman,bronx,buffalo,burbank,burlington,cape cod,cedar rapids,chapel hill,charleston,chattanooga,cheyenne,columbus,concord,dayton
daytona,des moines,duluth,el paso,erie,evanston,fairbanks,fargo,flagstaff,fort worth,fort lauderdale,fresno,galveston,georgia,glendale,grand rapids,green bay
greensboro,harlem,harrisburg,hartford,hoboken,ithaca,jacksonville,jersey city,juneau,kalamazoo,kansas city,key west,knoxville,la jolla,lafayette,laredo
las cruces,lexington,little rock,long beach,long island,louisville,lubbock,madison,malibu,marin,maui,mesa,missoula,mobile,modesto,monterey,montpelier,napa
newark,new england,new haven,newport beach,oahu,kauai,olympia,omaha,palm springs,pasadena,pensacola,peoria,plano,princeton,providence,provo,queens,raleigh
reno,richmond,riverside,roanoke,rochester,salem,santa barbara,santa cruz,santa monica,sarasota,savannah,schenectady,scottsdale,scranton,sedona,shreveport
sioux falls,spokane,springfield,st louis,st. louis,st paul,stamford,staten island,stockton,syracuse,tacoma,tahoe,lake tahoe,tallahassee,tempe,topeka,trenton
tucson,tulsa,virginia,waco,washington dc,wichita,wilmington,yonkers,yuma,bay area,brooklyn heights,upper east side,wall street,venice beach
banff,brampton,cape breton,charlottetown,fredericton,gatineau,guelph,hamilton,kelowna,kingston,mississauga,moncton,nanaimo,new brunswick,newfoundland,nunavut
prince edward island,saskatoon,st john's,sudbury,thunder bay,tofino,vancouver island,victoria,waterloo,whistler,whitehorse,windsor,yellowknife,yukon,labrador
acapulco,amazonas,antigua,aruba,bahamas,bahia,barbados,barranquilla,bariloche,bermuda,belize,belo horizonte,brasilia,bucaramanga,cali,campinas,cancun
cartagena,chiapas,chihuahua,cochabamba,cozumel,curitiba,cusco,cuzco,curacao,florianopolis,fortaleza,galapagos,guadalajara,guayaquil,guyana,jalisco,juarez
la paz,machu picchu,manaus,maracaibo,mar del plata,martinique,medellin,mendoza,merida,mexicali,monterrey,montego bay,nassau,oaxaca,patagonia,port-au-prince
port of spain,porto alegre,puebla,puerto vallarta,punta arenas,quintana roo,recife,salta,san juan,san miguel de allende,san salvador,santo domingo,suriname
tegucigalpa,tierra del fuego,tobago,trinidad,tucuman,tulum,valparaiso,veracruz,yucatan,zacatecas
alice springs,ballarat,bendigo,blue mountains,bondi,broome,byron bay,cairns,canberra,christchurch,coogee,cook islands,dunedin,fremantle,geelong
great barrier reef,gisborne,guam,hobart,invercargill,kangaroo island,launceston,manly,napier,new caledonia,new south wales,newtown,northern territory,nouméa
palmerston north,papua new guinea,parramatta,port moresby,queenstown,rotorua,samoa,south island,north island,suva,tahiti,tauranga,tonga,townsville,uluru
vanuatu,waikiki,wanaka,western australia,whangarei,wollongong
arctic,antarctic,greenland,balkans,baltics,black sea,red sea,dead sea,baltic sea,north sea,pacific,atlantic,caucasus,pyrenees,dolomites,carpathians
appalachians,sinai,nile,danube,rhine,thames,seine,ganges,mekong,mississippi river,lake como,lake garda,lake victoria,lake geneva,mont blanc,mount fuji
mount kilimanjaro,everest,ben nevis,snowdonia,loch ness,stonehenge,big ben,buckingham palace,hyde park,louvre,colosseum,vatican,sagrada familia,acropolis
brandenburg gate,taj mahal,great wall,golden gate bridge,statue of liberty,empire state building,disneyland,disney world,area 51,midwest,east coast
west coast`;
